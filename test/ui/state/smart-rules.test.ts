import { expect, test } from 'bun:test'
import { type SmartRules, SmartRules as Schema } from '../../../src/shared/api/playlist'
import { Value } from '@sinclair/typebox/value'
import { createPlaylistEditor } from '../../../src/ui/state/playlist-editor'
import {
  areComplete,
  blankRule,
  canAddRule,
  firstRules,
  goneOf,
  ruleFields,
  sendable,
  templates,
  withOneMore,
  withoutRule,
  withRule,
} from '../../../src/ui/state/smart-rules'

test('every template is complete, and the server takes it', () => {
  for (const rules of [firstRules, ...Object.values(templates)])
    expect([areComplete(rules), Value.Check(Schema, rules)]).toEqual([true, true])
})

test('rules are added about what no other is about, up to twelve, changed and removed', () => {
  let rules: SmartRules = { ...firstRules, rules: [] }
  while (canAddRule(rules)) rules = withOneMore(rules)
  expect(rules.rules.map(({ field }) => field)).toEqual([...ruleFields, 'title'])
  expect(withRule(rules, 1, blankRule('liked')).rules[1]).toEqual({ field: 'liked', is: true })
  expect(withoutRule(rules, 0).rules).toEqual(rules.rules.slice(1))
  expect(rules.rules).toHaveLength(12)
})

test('rules that name nothing are not complete', () => {
  const incomplete = ruleFields.filter(field => !areComplete({ ...firstRules, rules: [blankRule(field)] }))
  expect(incomplete).toEqual(['podcast', 'tag', 'title'])
  expect(areComplete({ ...firstRules, rules: [{ field: 'title', op: 'lacks', words: ' –!' }] })).toBe(false)
})

test('a list of what is not downloaded keeps nothing, one that durations decide does', () => {
  const kept: SmartRules = { ...firstRules, keepDownloaded: 5 }
  expect(sendable(kept).keepDownloaded).toBe(5)
  expect(sendable({ ...kept, rules: [{ field: 'downloaded', is: false }] }).keepDownloaded).toBe(0)
  expect(sendable({ ...kept, rules: [blankRule('duration')] }).keepDownloaded).toBe(5)
  expect(sendable({ ...kept, order: 'longest' }).keepDownloaded).toBe(5)
})

test('what a rule names and is not there is gone', () => {
  const known = { podcasts: new Set(['a']), tags: new Set(['b']) }
  expect(goneOf({ field: 'podcast', op: 'is', podcasts: ['a', 'b'] }, known)).toEqual(['b'])
  expect(goneOf({ field: 'tag', op: 'is-not', tags: ['a', 'b'] }, known)).toEqual(['a'])
  expect(goneOf(blankRule('liked'), known)).toEqual([])
})

test('the wizard sends rules instead of episodes, and stops where they are incomplete', async () => {
  const sent: unknown[] = []
  const send = (edit: unknown) => Promise.resolve(sent.push(edit))
  const editor = createPlaylistEditor({
    create: send,
    replace: (id: string, edit: object) => send({ id, ...edit }),
  } as never)
  editor.begin(null)
  editor.rename('Fresh')
  editor.setRules(firstRules)
  editor.next()
  editor.setRules({ ...firstRules, rules: [blankRule('title')] }, false)
  editor.next()
  expect(editor.step.value).toBe(1)
  editor.setRules(firstRules)
  editor.next()
  await editor.submit()
  expect(sent).toEqual([{ name: 'Fresh', description: null, items: [], rules: firstRules }])

  editor.begin({ id: 'p', name: 'Fresh', description: 'Mornings', items: [], rules: templates.news })
  expect([editor.rules.value, editor.items.value]).toEqual([templates.news, []])
  await editor.submit()
  expect(sent[1]).toEqual({ id: 'p', name: 'Fresh', description: 'Mornings', items: [], rules: templates.news })
})
