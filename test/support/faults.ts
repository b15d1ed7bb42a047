/** Something wrong with a screen, in one line. */
export type Fault = { screen: string; fault: string }

const MAX_NAMED = 4

/** Faults that differ in words and rectangles alone, or that many screens share, become one line. */
export function summarise(faults: readonly Fault[]): string[] {
  const alike = Map.groupBy(faults, ({ fault }) => fault.replace(/“[^”]*”|\[[^\]]*\]/g, ''))
  return [...alike.values()].map(group => {
    const screens = [...new Set(group.map(({ screen }) => screen))]
    const more = screens.length > MAX_NAMED ? ` and ${screens.length - MAX_NAMED} more` : ''
    return `${screens.slice(0, MAX_NAMED).join(', ')}${more}: ${group.length} × ${group[0]!.fault}`
  })
}
