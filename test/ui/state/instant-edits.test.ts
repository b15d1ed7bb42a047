import { expect, test } from 'bun:test'
import { createInstantEdits } from '../../../src/ui/state/instant-edits'
import { createCalls } from '../../support/settled'

type Values = { days: number; isOn: boolean }

/** Edits of two values, and a server that the test answers for. */
function start() {
  const save = createCalls<[Partial<Values>], Values>()
  const log: string[] = []
  const edits = createInstantEdits<Values>(
    { days: 30, isOn: false },
    {
      save: save.call,
      onSaved: (_saved, edit) => void log.push(`saved ${JSON.stringify(edit)}`),
    },
  )
  const sent = () => save.calls.map(({ args }) => args[0])
  return { edits, save, log, sent }
}

test('a change is shown and sent at once, alone', async () => {
  const { edits, save, log, sent } = start()
  edits.change({ days: 7 })
  expect([edits.values.value, sent()]).toEqual([{ days: 7, isOn: false }, [{ days: 7 }]])
  await save.answer({ days: 7, isOn: false })
  expect(log).toEqual(['saved {"days":7}'])
})

test('what is changed while a save is under way is neither lost nor overwritten by its answer', async () => {
  const { edits, save, sent } = start()
  edits.change({ days: 7 })
  edits.change({ days: 9 })
  edits.change({ isOn: true })
  expect([edits.values.value, sent().length]).toEqual([{ days: 9, isOn: true }, 1])
  await save.answer({ days: 7, isOn: false })
  expect(edits.values.value).toEqual({ days: 9, isOn: true })
  expect(sent()).toEqual([{ days: 7 }, { days: 9, isOn: true }])
  await save.answer({ days: 9, isOn: true })
  expect([edits.values.value, sent().length]).toEqual([{ days: 9, isOn: true }, 2])
})

test('a change that the server refuses stays with its reason, later ones still arrive, and it can be sent again', async () => {
  const { edits, save, log, sent } = start()
  edits.change({ isOn: true })
  edits.change({ days: 9 })
  await save.refuse(new Error('refused'))
  expect([edits.values.value, edits.refused.value]).toEqual([
    { days: 9, isOn: true },
    { edit: { isOn: true }, error: new Error('refused') },
  ])
  await save.answer({ days: 9, isOn: false })
  expect([edits.values.value, sent().length]).toEqual([{ days: 9, isOn: true }, 2])

  edits.retry()
  expect([edits.refused.value, sent()[2]]).toEqual([null, { isOn: true }])
  await save.answer({ days: 9, isOn: true })
  expect([edits.values.value, log]).toEqual([{ days: 9, isOn: true }, ['saved {"days":9}', 'saved {"isOn":true}']])
})

test('a refused change is replaced by the next one of the same value', async () => {
  const { edits, save } = start()
  edits.change({ isOn: true })
  await save.refuse(new Error('refused'))
  edits.change({ isOn: false })
  expect([edits.refused.value, edits.values.value.isOn]).toEqual([null, false])
})
