import type { Segment } from '../../store/documents'

export const MAX_SEGMENTS = 50_000
export const MAX_TEXT = 4000
export const MAX_SPEAKER = 200

/** Lines, tags or values that a transcript of `MAX_SEGMENTS` may take: more of them only cost memory. */
export const MAX_PIECES = 5 * MAX_SEGMENTS
/** The most letters of all segments together: what is said in about 70 hours. */
const MAX_LETTERS = 4_000_000

export const linesOf = (text: string) => text.split('\n', MAX_PIECES)

const unusualSpace = /\s\s|[^\S ]/

/** A long text that is one line already is not copied: a replacement at each space takes far more memory than it has. */
export const oneLine = (text: string) => (unusualSpace.test(text) ? text.replace(/\s+/g, ' ') : text).trim()

export const segmentOf = (startMs: number | null, text: string, more: Partial<Segment> = {}): Segment => ({
  startMs,
  endMs: null,
  speaker: null,
  text,
  ...more,
})

/**
 * Keeps segments within the limits of a transcript; a long one becomes several, of which only the first has a time.
 * Together they have at most `longest` characters: a document may repeat one text many times.
 */
export function bounded(segments: readonly Segment[], longest: number): Segment[] {
  const kept: Segment[] = []
  let length = 0
  for (const { startMs, endMs, speaker, text } of segments) {
    // A name is repeated in every segment, so a long one is costly.
    const name =
      oneLine(speaker ?? '')
        .slice(0, MAX_SPEAKER)
        .toWellFormed() || null
    for (const [index, said] of passagesOf(oneLine(text).toWellFormed()).entries()) {
      length += said.length
      if (kept.length === MAX_SEGMENTS || length > Math.min(longest, MAX_LETTERS)) return kept
      const isTimed = index === 0 && startMs !== null
      const isEnded = isTimed && endMs !== null && endMs >= startMs
      kept.push({ startMs: isTimed ? startMs : null, endMs: isEnded ? endMs : null, speaker: name, text: said })
    }
  }
  return kept
}

/** Cuts a text at the ends of sentences, else between words, into parts of at most `MAX_TEXT`; none of an empty one. */
function passagesOf(text: string): string[] {
  const passages: string[] = []
  let from = 0
  while (text.length - from > MAX_TEXT) {
    const part = text.slice(from, from + MAX_TEXT)
    const sentence = Math.max(
      part.lastIndexOf('. '),
      part.lastIndexOf('? '),
      part.lastIndexOf('! '),
      part.lastIndexOf('。'),
    )
    const end = sentence > MAX_TEXT / 2 ? sentence + 1 : part.lastIndexOf(' ')
    const to = from + (end > 0 ? end : MAX_TEXT)
    passages.push(text.slice(from, to).trim())
    from = to
  }
  const last = text.slice(from).trim()
  return (last === '' ? passages : [...passages, last]).filter(passage => passage !== '')
}

/** No recording is longer: 10,000 hours. */
const MAX_MS = 36_000_000_000

/** A time as people write it: `1:02:03.5`, `02:03`, `00:00:01,500`, `00:00:01:500`, `0:0:1`; hours of any length. */
export const stamp = String.raw`-?(?:\d{1,6}\s?:\s?)?\d{1,3}\s?:\s?\d{1,2}(?:(?:\s?[.,]\s?|:)\d{1,9})?`

const parts = /^(-?)(?:(\d{1,6}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,9}))?$/

/** Milliseconds of a `stamp`; null for anything else. A negative time is the beginning. */
export function readStamp(text: string): number | null {
  const bare = text.replace(/\s/g, '')
  const match = parts.exec(bare)
  if (!match) return null
  const [, sign, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match
  if (sign) return 0
  return boundedTime(
    (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000),
  )
}

const boundedTime = (ms: number) => (ms >= 0 && ms <= MAX_MS ? ms : null)

const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, '': 1000 }

/**
 * Milliseconds of a time in seconds (a number, or `"1.5"`, `"1.5s"`), in another unit (`"1500ms"`, `"2m"`), or as a
 * stamp; null for anything else.
 */
export function readTime(value: unknown): number | null {
  if (typeof value === 'number') return boundedTime(Math.floor(value * 1000))
  if (typeof value !== 'string') return null
  const text = value.trim().slice(0, 40)
  const match = /^(\d{1,9}(?:[.,]\d{1,9})?)\s?(h|ms?|s|)$/.exec(text)
  if (!match) return readStamp(text)
  return boundedTime(Math.floor(Number(match[1]!.replace(',', '.')) * units[match[2]!]!))
}

/** Words that often precede a colon but aren't names, in the languages of the interface. */
const noNames = new Set(
  `a again also although and announcement answer attention because besides bonus breaking but caution chapter conclusion
  consider correction disclaimer edit episode example fact finally first fun furthermore hence here hint host's however
  imagine important in intro introduction it just last listen look meaning meanwhile music my next no note notice now ok
  okay one or other our outro part please point ps question quote reason recap remember reminder result rule second sidenote
  so source sources spoiler step still summary thanks that the then there therefore third this thus tip title today topic
  translation trivia two update verse warning we well what when where which why yes yet you
  achtung aber also antwort anmerkung beispiel danke denn dennoch ergebnis erstens fazit frage hinweis ja kapitel merke nein
  nun quelle schritt teil thema tipp und warnung weil wichtig zitat zweitens
  alors attention aussi bref car chapitre conclusion donc ensuite et exemple mais merci non oui question rappel remarque
  réponse résultat source
  además ahora así atención capítulo conclusión ejemplo entonces gracias importante nota pregunta pero porque recuerda
  recuerden respuesta resultado sí también
  allora anche attenzione capitolo conclusione domanda dunque esempio grazie importante ma perché quindi ricorda ricordate
  risposta risultato sì
  agora aliás atenção capítulo conclusão exemplo importante lembre lembrem mas nota obrigado pergunta porque portanto resposta
  resultado também
  antwoord dus en hoofdstuk kortom let maar onthoud vraag voorbeeld want waarschuwing
  a ale czyli dlatego odpowiedź pamiętaj pytanie przykład rozdział uwaga ważne więc
  altså därför exempel fråga kapitel kom kom-ihåg men minns obs och observera svar viktigt
  eksempel fordi husk kapitel men og så spørgsmål svar vigtigt
  але відповідь важливо висновок запам'ятайте пам'ятайте питання приклад розділ тому увага`.split(/\s+/),
)

/** Names that programs give to voices. */
const numbered =
  /^(?:speaker|spk|sprecher(?:in)?|locuteur|hablante|orador|voce|mówca|talare|taler|spreker|voice|participant|person|host|guest|interviewer)[ _-]?#?\d{1,3}$/i

const letters = String.raw`[\p{L}\p{M}\p{N}.'’-]{0,30}`
const particle = String.raw`(?:d[aeio]s? |v[oa]n |der? |del |la |le |al-|bin |ibn )`
const lead = String.raw`^(?:>>\s?|[-–—]\s)?`
const remark = String.raw`(?: ?\([^()\n]{1,40}\))?`

/** `[SPEAKER_01]:`, `(Anna):`, and `[SPEAKER_01]` alone. */
const bracketed = new RegExp(String.raw`${lead}[[(]([^[\]()\n]{1,60})[\])](\s?[:：])?\s*(?=\S)`, 'u')
/** `SPEAKER_01:`, `spk_0:`, `Speaker 1:`. */
const ofProgram = new RegExp(String.raw`${lead}(\p{L}{2,12}[ _-]?#?\d{1,3})[:：]\s*(?=\S)`, 'u')
/** A name in words that begin with a capital, or in a script without any. */
export const name = String.raw`\p{Lu}${letters}(?: (?:\p{Lu}|\p{N}|${particle})${letters}){0,4}|\p{Lo}{1,10}`
/** `ANNA:`, `Anna Smith:`, `Ludwig van Beethoven (on the phone):`, and names in scripts without capitals. */
const named = new RegExp(String.raw`${lead}(${name})${remark}(?::\s+|：\s*)(?=\S)`, 'u')

type Label = { speaker: string; text: string; isSure: boolean }

/** The name before what was said, if there may be one. `isSure`: it can't be anything else. */
export function findLabel(text: string): Label | null {
  const marked = bracketed.exec(text)
  if (marked && (marked[2] || numbered.test(marked[1]!))) return labelOf(text, marked, true)
  const program = ofProgram.exec(text)
  if (program && (program[1]!.includes('_') || numbered.test(program[1]!))) return labelOf(text, program, true)
  const found = named.exec(text)
  if (!found) return null
  const [first = ''] = found[1]!.toLowerCase().split(' ')
  // A single letter numbers a list.
  return noNames.has(first) || !/\p{L}\p{L}|\p{Lo}/u.test(found[1]!) ? null : labelOf(text, found, false)
}

const labelOf = (text: string, found: RegExpExecArray, isSure: boolean): Label => ({
  speaker: found[1]!.trim(),
  text: text.slice(found[0].length),
  isSure,
})

/** A short transcript names each voice once; in a longer one, a name that occurs once is more likely a word. */
const SHORT = 30

/**
 * Finds the names that are written before what was said, and removes them from it. A name must be sure, or recur; a
 * word that only looks like one stays.
 */
export function nameSpeakers(segments: readonly Segment[]): Segment[] {
  const labels = segments.map(({ speaker, text }) => (speaker === null ? findLabel(text) : null))
  const uses = new Map<string, number>()
  for (const label of labels) if (label) uses.set(label.speaker, (uses.get(label.speaker) ?? 0) + 1)
  const fewest = segments.length > SHORT ? 2 : 1
  return segments.map((segment, index) => {
    const label = labels[index]
    const isName = label && (label.isSure || uses.get(label.speaker)! >= fewest)
    return isName ? { ...segment, speaker: label.speaker, text: label.text } : segment
  })
}
