import { expect, test } from 'bun:test'
import { settles } from '../../../src/ui/player/follow-finger'

test('a movement reaches its aim by 40 percent of the way, or by a fling', () => {
  const [slow, fast] = [0.1, 0.8]
  expect([settles(350, slow, 800), settles(300, slow, 800), settles(60, fast, 800)]).toEqual([true, false, true])
  expect([settles(-350, -slow, -800), settles(-60, -fast, -800)]).toEqual([true, true])
})

test('a finger that throws it back takes its movement back', () => {
  expect([settles(700, -0.8, 800), settles(-700, 0.8, -800)]).toEqual([false, false])
})
