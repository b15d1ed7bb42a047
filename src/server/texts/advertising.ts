// Why: docs/internals/decisions/0014

/**
 * Titles that mean advertising, in the languages of the interface, as patterns of a whole title. Words that also mean
 * something else stay out: announcements ("annonces", "anuncios"), inns ("pub"), propaganda.
 */
const wholeTitles: readonly string[] = [
  // English
  'ads?( breaks?| reads?| spots?| segments?)?',
  'adverts?( breaks?)?',
  'advertisements?',
  'commercials|commercial( break| message)s?',
  '(pre|mid|post)[ -]?rolls?( ads?| ad breaks?)?',
  '((our|the|today.s|this week.s|this episode.s) )?sponsors?( break| message| read| segment| spot| block)?s?',
  'sponsored( content| message| segment)?|sponsorship (break|message|segment)',
  '(a |an )?((quick|short|brief) )?(word|message|break) (from|for) (our|the|today.s) sponsors?',
  '(thanks|thank you) to (our|the|today.s) sponsors?',
  // German
  'werbung|werbe(block|pause|unterbrechung|einblendung|spots?)|eigenwerbung|werbung in eigener sache',
  'anzeigen?|(unsere? )?werbepartner',
  '((unsere?|der) )?sponsor(en)?|sponsorenblock|gesponsert',
  // Danish and Swedish
  'reklamer?|reklame?(pause|paus|blok|block|indslag|inslag)|annonser?|annoncer',
  '((vores|vår|våra|dagens) )?sponsor(er)?|sponsoreret( indhold)?|sponsrat( innehåll)?',
  // French
  '(la )?publicités?|(pause|coupure|page|message)( de| de la)? (pub|publicité|publicitaire)|la pub',
  '(un mot de )?((notre|nos|le|les) )?sponsors?( du jour| de l.épisode)?',
  // Polish
  'reklam[ay]|blok reklamowy|przerwa reklamowa|przerwa na reklamę|spot reklamowy|autopromocja',
  '(nasz )?sponsor( odcinka)?|(nasi )?sponsorzy|materiał sponsorowany|współpraca reklamowa|lokowanie produktu',
  // Spanish and Portuguese
  'publicida(d|de)|(pausa|corte|bloque|espacio|mensaje|cuña|anuncio) publicitari[oa]|pausa comercial',
  'pausa (para|de) anuncios|intervalo comercial|bloco comercial|intervalo publicitário',
  '((nuestro|nuestros|el|los|nosso|nossos) )?patrocinador(es)?|patroc[ií]nio|patrocinado',
  // Italian
  'pubblicità|(spot|messaggio|stacco) pubblicitario|pausa pubblicitaria|((il nostro|i nostri) )?sponsor',
  // Dutch
  'reclame|reclame(blok|pauze|boodschap)|advertenties?|(onze )?sponsors?|gesponsord',
  // Ukrainian
  'реклама|рекламн(а пауза|ий блок)|(наш )?спонсор( випуску| епізоду)?|(наші )?спонсори',
]

/** Titles that count only if they say nothing else, since they may also name a subject or an announcement. */
const wholeOnly = ['advertising', 'annonce', 'reklam', 'sponsoring', 'promos?']

const sponsoredBy = [
  '(this|today.s) (episode|show|podcast|segment) is (sponsored|brought to you) by',
  'sponsored by|brought to you by our sponsors?',
  '(diese (folge|episode) (wird|ist) )?gesponsert (von|durch)',
  'sponsoreret af|sponsrad av|i betalt samarbete med|sponsorisé par|sponsorowane przez|patrocinado por',
  'sponsorizzato da|gesponsord door',
]

const anyOf = (patterns: readonly string[]) => patterns.join('|')
const whole = new RegExp(`^(?:${anyOf([...wholeTitles, ...wholeOnly])})$`, 'u')
const head = new RegExp(`^(?:${anyOf(wholeTitles)})$`, 'u')
const credit = new RegExp(`^(?:${anyOf(sponsoredBy)}) (?<company>.+)$`, 'u')

const NAME_WORDS = 12
/** Words that make a title a question, so that no company's name follows. */
const question =
  /^(how|why|what|when|who|where|is|are|does|wie|warum|wieso|was|wer|hvordan|hvorfor|hvad|comment|pourquoi|cómo|por qué|qué|jak|dlaczego|come|perché|hoe|waarom|como|por que|hur|varför|як|чому)(?![\p{L}\p{N}])/u

/**
 * Whether the title of a chapter means that it is advertising: "Werbung", "Ad break 2", "Sponsor: Acme", "Acme [Ad]".
 * Prefers missing one over mistaking a chapter about advertising for one.
 */
export function meansAdvertising(title: string): boolean {
  if (title.length > 200) return false
  const text = wordsOf(title.normalize('NFKC').toLowerCase()).join(' ')
  if (text.endsWith('?')) return false
  if (whole.test(plain(text))) return true
  const separator = / ?[:|] ?| [-–—] /u.exec(text)?.[0]
  const [before = '', ...after] = separator === undefined ? [] : text.split(separator)
  if (head.test(plain(before)) && isName(after.join(separator))) return true
  const [, opened, closed] = /^[([]([^()[\]]+)[)\]]|[([]([^()[\]]+)[)\]]$/u.exec(text) ?? []
  if (head.test(plain(opened ?? closed ?? ''))) return true
  const company = credit.exec(text)?.groups?.['company']
  return company !== undefined && isName(company)
}

const wordsOf = (text: string) => text.split(/\s/u).filter(word => word !== '')

/** A title without the number before or after it, and without signs around it. */
function plain(text: string): string {
  const words = wordsOf(text)
    .map(withoutSigns)
    .filter(word => word !== '')
  if (words.length > 1 && /^\d{1,3}$/u.test(words[0]!)) words.shift()
  // One digit: "AD 79" is a year.
  if (words.length > 3 && isDigit(words.at(-1)!) && isDigit(words.at(-3)!)) words.splice(-3)
  else if (words.length > 1 && /^\d(\/\d)?$/u.test(words.at(-1)!)) words.pop()
  return words.join(' ')
}

const isDigit = (word: string) => /^\d$/u.test(word)

function withoutSigns(word: string): string {
  const letters = [...word]
  const isLetter = (sign: string) => /[\p{L}\p{N}]/u.test(sign)
  return letters.slice(letters.findIndex(isLetter), letters.findLastIndex(isLetter) + 1).join('')
}

const isName = (text: string) => wordsOf(text).length <= NAME_WORDS && !text.includes(':') && !question.test(text)
