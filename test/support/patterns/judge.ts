import { type AST, RegExpParser } from '@eslint-community/regexpp'
import {
  CharSet,
  DFA,
  type Expression,
  isDisjointWith,
  JS,
  NFA,
  type NoParent,
  type Quantifier,
  TooManyNodesError,
} from 'refa'
import { analyse } from 'scslre'

/** A piece that is repeated more often than this counts as repeated without end. */
const MANY = 5000

/**
 * Says why the time that a pattern takes may grow faster than the text that it is tried on; null when it cannot. The
 * engine of eslint-plugin-regexp finds nested and adjacent repetitions; `restarts` finds what begins anew at many
 * places.
 */
export function judge(source: string, flags: string): string | null {
  const [report] = analyse(new RegExp(source, flags)).reports
  if (report) return report.exponential ? 'backtracks without end' : 'backtracks'
  return restarts(source, flags) ? 'begins anew at many places, and reads to the end from each' : null
}

/**
 * Finds `<a>.*?</a>` and the like: a repetition that takes in what leads to it. A text of such beginnings is read to
 * its end from each of them, unless what follows cannot fail.
 */
function restarts(source: string, flags: string): boolean {
  const literal = new RegExpParser().parseLiteral(String(new RegExp(source, flags)))
  const parser = JS.Parser.fromAst(literal)
  const languageOf = (elements: readonly AST.Element[], assertions: 'ignore' | 'disable'): NoParent<Expression> => {
    const parts = elements.map(element => {
      const { expression } = parser.parseElement(element, {
        assertions,
        backreferences: 'disable',
        maxBackreferenceWords: 0,
      })
      return { type: 'Alternation' as const, alternatives: expression.alternatives }
    })
    return { type: 'Expression', alternatives: [{ type: 'Concatenation', elements: parts }] }
  }
  const { maxCharacter } = parser
  const nfaOf = (elements: readonly AST.Element[], assertions: 'ignore' | 'disable' = 'ignore') =>
    NFA.fromRegex(languageOf(elements, assertions), { maxCharacter })
  const repeated = ({ element }: AST.Quantifier): NFA => {
    const nfa = nfaOf([element])
    nfa.quantify(0, Number.POSITIVE_INFINITY)
    return nfa
  }

  return endless(literal.pattern).some(last => {
    const { before, after, isAnchored } = around(last)
    const end = nfaOf(after, 'disable')
    if (accepts(end) || (mayEndWithText(after) && isAnything(nfaOf([last.element]), end, maxCharacter))) return false
    const starts = isAnchored ? [] : [{ lead: before, first: null as AST.Quantifier | null }]
    before.forEach((element, index) => {
      if (isEndless(element)) starts.push({ lead: before.slice(index + 1), first: element })
    })
    return starts.some(({ lead, first }) => {
      if (lead.length === 0) return false
      // The lead itself, again and again: read by what comes first, and by what comes last, and never the end of it
      // all.
      const word = nfaOf(lead)
      word.finals.delete(word.initial)
      const endless = NFA.fromIntersection(word, repeated(last))
      const inLast = endless.isEmpty ? endless : leaveOut(endless, languageOf(after, 'disable'), maxCharacter)
      return first ? !isDisjointWith(inLast, repeated(first)) : !inLast.isEmpty
    })
  })

  /** True when the end of the text satisfies the rest of the pattern. */
  function mayEndWithText(after: readonly AST.Element[]): boolean {
    return after.every(element => {
      if (element.type === 'Assertion') return element.kind === 'end' && !literal.flags.multiline
      if (element.type === 'Group' || element.type === 'CapturingGroup')
        return element.alternatives.some(({ elements }) => mayEndWithText(elements))
      return element.type === 'Quantifier' && element.min === 0
    })
  }
}

const accepts = (nfa: NFA) => nfa.finals.has(nfa.initial)

/** True when every character either continues the one or is a word of the other. */
function isAnything(one: NFA, other: NFA, maximum: number): boolean {
  const single = NFA.fromCharSet(CharSet.all(maximum))
  const charactersOf = (nfa: NFA) =>
    [...NFA.fromIntersection(nfa, single).initial.out.values()].reduce(
      (all, set) => all.union(set),
      CharSet.empty(maximum),
    )
  return charactersOf(one).union(charactersOf(other)).isAll
}

/** The texts in which none of these words occurs; all of them where that is too much to find out. */
function leaveOut(texts: NFA, { alternatives }: NoParent<Expression>, maxCharacter: number): NFA {
  const anything: NoParent<Quantifier> = {
    type: 'Quantifier',
    min: 0,
    max: Number.POSITIVE_INFINITY,
    lazy: false,
    alternatives: [
      { type: 'Concatenation', elements: [{ type: 'CharacterClass', characters: CharSet.all(maxCharacter) }] },
    ],
  }
  const words = { type: 'Alternation' as const, alternatives }
  const containing: NoParent<Expression> = {
    type: 'Expression',
    alternatives: [{ type: 'Concatenation', elements: [anything, words, anything] }],
  }
  try {
    const others = DFA.fromFA(NFA.fromRegex(containing, { maxCharacter }))
    others.complement()
    return NFA.fromIntersection(texts, others)
  } catch (error) {
    if (error instanceof TooManyNodesError) return texts
    throw error
  }
}

const isEndless = (node: AST.Node): node is AST.Quantifier => node.type === 'Quantifier' && node.max > MANY

/** Repetitions without an end, those within what only looks ahead or back left out. */
function endless(node: AST.Node): AST.Quantifier[] {
  const own = isEndless(node) ? [node] : []
  if (node.type === 'Quantifier') return [...own, ...endless(node.element)]
  if (node.type === 'Pattern' || node.type === 'Group' || node.type === 'CapturingGroup')
    return node.alternatives.flatMap(endless)
  return node.type === 'Alternative' ? node.elements.flatMap(endless) : []
}

/** The parts matched before and after a repetition, and whether the first is anchored to the beginning of the text. */
function around(of: AST.Quantifier) {
  const before: AST.Element[] = []
  const after: AST.Element[] = []
  for (let node: AST.Node = of; node.parent; node = node.parent) {
    const { parent }: { parent: AST.Node | null } = node
    if (parent?.type !== 'Alternative') continue
    const place = parent.elements.indexOf(node as AST.Element)
    before.unshift(...parent.elements.slice(0, place))
    after.push(...parent.elements.slice(place + 1))
  }
  const isAnchored = before.some(element => element.type === 'Assertion' && element.kind === 'start')
  return { before, after, isAnchored }
}
