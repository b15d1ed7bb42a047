import { median } from '../../../test/support/measure'

export const sides = ['before', 'after'] as const
export type Side = (typeof sides)[number]
/** The numbers of one measurement, such as CPU, p50 and p99. */
type Sample = readonly number[]

/** Measurements of both executables on one budget; each counts by its medians. */
export function startSamples() {
  const rows = new Map<string, Record<Side, Sample[]>>()
  return {
    add(what: string, side: Side, ...sample: Sample) {
      const row = rows.get(what) ?? { before: [], after: [] }
      rows.set(what, row)
      row[side].push(sample)
      console.error(`  ${what}, ${side}: ${sample.map(inShort).join(', ')}`)
    },
    names: () => [...rows.keys()],
    /** The cells of a row: before, after, and after divided by before. */
    cells(what: string): string[] {
      const row = rows.get(what)
      if (!row) return ['–', '–', '–']
      const [before, after] = [middle(row.before), middle(row.after)]
      const ratios = after.map((value, place) => inShort(value / before[place]!))
      return [before.map(inShort).join(', '), after.map(inShort).join(', '), `${ratios.join(', ')} ×`]
    },
  }
}
export type Samples = ReturnType<typeof startSamples>

const middle = (samples: readonly Sample[]) =>
  samples[0]?.map((_, place) => median(samples.map(sample => sample[place]!))) ?? []

const inShort = (value: number) => Number(value.toPrecision(value < 0.1 ? 2 : 3)).toLocaleString('en')

/** One Markdown table: three columns for each budget. */
export function tableOf(columns: readonly { budget: string; samples: Samples }[]): string {
  const names = [...new Set(columns.flatMap(({ samples }) => samples.names()))]
  const titles = ['what', ...columns.flatMap(({ budget }) => [`${budget}: before`, 'after', 'after : before'])]
  const lines = [
    titles,
    titles.map(() => '---'),
    ...names.map(name => [name, ...columns.flatMap(c => c.samples.cells(name))]),
  ]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}
