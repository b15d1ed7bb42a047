import type { ReadonlySignal } from '@preact/signals-core'
import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { formatMinutes } from '../../format'
import { nameTimelineGroup } from './time-groups'
import './lists.css'
import type { TimelineSums } from './use-timeline'

type Props = {
  group: string
  sums: ReadonlySignal<TimelineSums>
  /** Shows the date of days that are named otherwise. */
  withDate?: boolean
}

/** The heading of a day or month in the timeline, with the number of its episodes and their length. */
export function TimelineHeading({ group, sums, withDate = false }: Props) {
  useSignals()
  const { t } = useTranslation()
  const { name, date, shortDate } = nameTimelineGroup(group)
  const sum = sums.value.get(group)
  const facts = [
    sum && t('episodes-count', { count: sum.count }),
    sum && sum.seconds > 0 && formatMinutes(sum.seconds),
  ].filter(Boolean)
  return (
    <>
      {name}{' '}
      <span className="group-facts muted numbers">
        {withDate && date && (
          <>
            <span className="above-phone">{date}</span>
            <span className="on-phone">{shortDate}</span>
            {facts.length > 0 && ' · '}
          </>
        )}
        {facts.join(' · ')}
      </span>
    </>
  )
}
