import type { SmartCondition, Values } from './smart-conditions'
import type { Part } from './smart-orders'

/** Limits of the first column of an order, which its index serves. */
export type Ranges = { lower: string[]; upper: string[]; values: Values }

/** The limits that rules set to a part. */
export function rangesOf(part: Part, conditions: readonly SmartCondition[]): Ranges {
  const ranges: Ranges = { lower: [], upper: [], values: {} }
  for (const [index, condition] of conditions.entries()) {
    const range = condition.field === part.ranged ? rangeOf(condition, `r${index}`) : null
    if (!range) continue
    ranges[range.side].push(range.sql)
    ranges.values[`r${index}`] = range.value
  }
  if (ranges.lower.length === 0 && part.lower) ranges.lower.push(part.lower)
  return ranges
}

function rangeOf(condition: SmartCondition, name: string) {
  if (condition.field === 'age')
    return condition.op === 'within'
      ? ({ side: 'lower', sql: `e.published_at >= $${name}`, value: condition.since } as const)
      : ({ side: 'upper', sql: `e.published_at < $${name}`, value: condition.since } as const)
  if (condition.field === 'duration')
    return condition.op === 'at-least'
      ? ({ side: 'lower', sql: `e.duration >= $${name}`, value: condition.seconds } as const)
      : ({ side: 'upper', sql: `e.duration <= $${name}`, value: condition.seconds } as const)
  return null
}
