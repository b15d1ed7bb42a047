/** The word for a chapter in the languages of the interface. */
const words: Record<string, string> = {
  da: 'Kapitel',
  de: 'Kapitel',
  en: 'Chapter',
  es: 'Capítulo',
  fr: 'Chapitre',
  it: 'Capitolo',
  nl: 'Hoofdstuk',
  pl: 'Rozdział',
  pt: 'Capítulo',
  sv: 'Kapitel',
  uk: 'Розділ',
}

/** Names a chapter without a title by its number, in the language of the podcast: its other titles are in that, too. */
export const chapterName = (title: string, number: number, language: string | null) =>
  title === '' ? `${words[language?.slice(0, 2).toLowerCase() ?? ''] ?? words['en']} ${number}` : title
