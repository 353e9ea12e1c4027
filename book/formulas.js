// Sets TeX formulas at build time, so that pages need no script for them.
//
//   node formulas.js MATHJAX_FOLDER FONT_ADDRESS < {"formulas": [{"tex", "display"}]} > {"css", "set": [html]}
//
// A formula MathJax does not understand comes back as {"error": text} in the place of its HTML.
// MathML goes along, out of sight, for screen readers.

const [folder, fontURL] = process.argv.slice(2);

const settings = {
  loader: { paths: { mathjax: folder }, load: ["input/tex", "output/chtml", "adaptors/liteDOM", "a11y/assistive-mml"] },
  tex: {
    packages: { "[-]": ["noundefined", "noerrors"] }, // an unknown macro is an error, not red ink
    formatError: (_, error) => { throw error; },
  },
  chtml: { fontURL, adaptiveCSS: true },
};

async function set(MathJax, { tex, display }) {
  try {
    return MathJax.startup.adaptor.outerHTML(await MathJax.tex2chtmlPromise(tex, { display }));
  } catch (error) {
    return { error: error.message };
  }
}

async function main() {
  const MathJax = await require(`${folder}/node-main.js`).init(settings);
  const { formulas } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const results = [];
  for (const formula of formulas) results.push(await set(MathJax, formula));
  const css = MathJax.startup.adaptor.textContent(MathJax.chtmlStylesheet());
  process.stdout.write(JSON.stringify({ css, set: results }));
}

main();
