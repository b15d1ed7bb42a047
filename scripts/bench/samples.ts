import { median } from '../../test/support/measure'

/** The numbers of one measurement, such as CPU, p50 and p99. */
type Sample = readonly number[]
type Row<Side extends string> = { of: Record<Side, Sample[]>; reason: string | null }

/** Measurements of the same work on two servers; each counts by its medians. */
export function startSamples<Side extends string>(first: Side, second: Side) {
  const rows = new Map<string, Row<Side>>()
  const rowOf = (what: string) => {
    const row = rows.get(what) ?? {
      of: { [first]: [], [second]: [] } as unknown as Record<Side, Sample[]>,
      reason: null,
    }
    rows.set(what, row)
    return row
  }
  return {
    add(what: string, side: Side, ...sample: Sample) {
      rowOf(what).of[side].push(sample)
      console.error(`  ${what}, ${side}: ${sample.map(inShort).join(', ')}`)
    },
    /** Notes why the second server is missing: in the rows whose names begin so, else in a row of its own. */
    miss(what: string, reason: string) {
      const begun = [...rows.keys()].filter(name => name.startsWith(what))
      for (const name of begun.length > 0 ? begun : [what]) rowOf(name).reason = reason
      console.error(`  ${what}: ${reason}`)
    },
    names: () => [...rows.keys()],
    /** The cells of a row: both medians, and the second divided by the first. */
    cells(what: string): string[] {
      const row = rows.get(what)
      if (!row) return ['–', '–', '–']
      const [one, other] = [middle(row.of[first]), middle(row.of[second])]
      if (row.reason !== null) return [one.map(inShort).join(', ') || '–', `not measured: ${row.reason}`, '–']
      const ratios = other.map((value, place) => inShort(value / one[place]!))
      return [one.map(inShort).join(', '), other.map(inShort).join(', '), `${ratios.join(', ')} ×`]
    },
  }
}
export type Samples<Side extends string> = ReturnType<typeof startSamples<Side>>

const middle = (samples: readonly Sample[]) =>
  samples[0]?.map((_, place) => median(samples.map(sample => sample[place]!))) ?? []

const inShort = (value: number) => Number(value.toPrecision(value < 0.1 ? 2 : 3)).toLocaleString('en')

type Column = { titles: readonly [string, string, string]; samples: Pick<Samples<string>, 'names' | 'cells'> }

/** One Markdown table, with three columns for each pair of servers. */
export function tableOf(columns: readonly Column[]): string {
  const names = [...new Set(columns.flatMap(({ samples }) => samples.names()))]
  const titles = ['what', ...columns.flatMap(column => column.titles)]
  const rows = names.map(name => [name, ...columns.flatMap(({ samples }) => samples.cells(name))])
  return [titles, titles.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

/** Runs something for each in turn, the other one first every second time. */
export async function byTurns<T>(all: readonly T[], turns: number, run: (one: T) => Promise<void>) {
  for (let turn = 0; turn < turns; turn++) for (const one of turn % 2 ? all.toReversed() : all) await run(one)
}
