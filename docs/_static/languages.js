// A search shows the pages of one language: that of the page it was started from.
const TOLD = {
  en: { pages: "English pages", all: "Pages in both languages" },
  fr: { pages: "Pages en français", all: "Pages dans les deux langues" },
};
const asked = new URLSearchParams(window.location.search);
const spoken = document.documentElement.lang === "fr" ? "fr" : "en";
const wanted = asked.get("lang") || spoken;

const inLanguage = (docname) =>
  wanted === "all" || docname.startsWith("fr/") === (wanted === "fr");

function keepLanguage() {
  document.querySelectorAll('form[role="search"]').forEach((form) => {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "lang", value: wanted });
    form.append(field);
  });
  if (typeof Search === "undefined") return;
  const found = Search._performSearch;
  Search._performSearch = (...given) => found(...given).filter(([docname]) => inLanguage(docname));
  const choices = document.createElement("p");
  choices.className = "search-languages";
  for (const [lang, name] of [["en", TOLD.en.pages], ["fr", TOLD.fr.pages], ["all", TOLD.en.all]]) {
    const choice = choices.appendChild(document.createElement("a"));
    asked.set("lang", lang);
    choice.href = `?${asked}`;
    choice.textContent = name;
    if (lang === wanted) choice.setAttribute("aria-current", "true");
  }
  document.getElementById("search-results").before(choices);
}

document.addEventListener("DOMContentLoaded", keepLanguage);
