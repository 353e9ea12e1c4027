// Turns TeX into MathML: node formulas.js MATHJAX_FOLDER < [{"tex", "display"}] > [MathML, or null where TeX is wrong]
//
// Students write some of it, so only packages that make formulas are there: none loads more, and none makes links.

const folder = process.argv[2];

const settings = {
  loader: { paths: { mathjax: folder }, load: ["input/tex"] },
  tex: {
    packages: ["base", "ams", "newcommand"],
    formatError: (_, error) => { throw error; },
  },
};

async function set(MathJax, { tex, display }) {
  try {
    return await MathJax.tex2mmlPromise(tex, { display });
  } catch {
    return null;
  }
}

async function main() {
  const MathJax = await require(`${folder}/node-main.js`).init(settings);
  const results = [];
  for (const formula of JSON.parse(require("fs").readFileSync(0, "utf8"))) results.push(await set(MathJax, formula));
  process.stdout.write(JSON.stringify(results));
}

main();
