// Turns TeX into MathML: node formulas.js MATHJAX_FOLDER < [{"tex", "display"}] > [MathML, or null where TeX is wrong]
//
// Students write some of it, so only packages that make formulas are there: none loads more, and none makes links. What
// a formula defines ends with it: it may not change what others wrote. \mmlToken can write attributes that act or lead
// somewhere; a formula with such a one stays as it was written.

const folder = process.argv[2];

const settings = {
  loader: { paths: { mathjax: folder }, load: ["input/tex"] },
  tex: {
    packages: ["base", "ams", "newcommand"],
    formatError: (_, error) => { throw error; },
  },
};

const DEFINED = ["new-Command", "new-Environment", "new-Delimiter", "ams-declare-ops"];
const ACTS = /<[^>]*\s(?:href|style|class|id)=/;

function forget(MathJax) {
  MathJax.texReset();
  for (const name of DEFINED) MathJax._.input.tex.MapHandler.MapHandler.getMap(name)?.map.clear();
}

async function set(MathJax, { tex, display }) {
  try {
    const made = await MathJax.tex2mmlPromise(tex, { display });
    return ACTS.test(made) ? null : made;
  } catch {
    return null;
  } finally {
    forget(MathJax);
  }
}

async function main() {
  const MathJax = await require(`${folder}/node-main.js`).init(settings);
  const results = [];
  for (const formula of JSON.parse(require("fs").readFileSync(0, "utf8"))) results.push(await set(MathJax, formula));
  process.stdout.write(JSON.stringify(results));
}

main();
