import './tables.css'

export type Bar = { label: string; value: number; text: string }

/** A bar chart, with each number in words. Screen readers read it as a table. */
export function BarChart({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <table className="bars">
      <caption className="visually-hidden">{title}</caption>
      <tbody>
        {bars.map(({ label, value, text }) => (
          <tr key={label}>
            <th className="truncate" scope="row">
              {label}
            </th>
            <td aria-hidden="true">
              <span className="bar" style={{ '--share': `${(100 * value) / most}%` } as React.CSSProperties} />
            </td>
            <td className="numbers">{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
