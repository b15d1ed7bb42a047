import { useTranslation } from 'react-i18next'
import type { Value, ValueRecipient, ValueTimeSplit } from '../../../shared/api/podcast-tags'
import { formatDuration } from '../../../shared/duration'
import { regionalLanguage } from '../../format'
import './extras.css'

/** Satoshis in a bitcoin, in which feeds suggest amounts. */
const SATS = 1e8

/** Those who take payments, with their shares. Castellan pays nobody; an address opens the listener's wallet. */
export function Payments({ value }: { value: Value }) {
  const { t } = useTranslation()
  const { recipients, timeSplits = [], suggested, type } = value
  if (recipients.length === 0 && timeSplits.length === 0) return null
  const sats = type === 'lightning' ? Math.round(Number(suggested) * SATS) : 0
  return (
    <section className="feed-extras payments">
      <h4>{t('payments')}</h4>
      <Recipients recipients={recipients} />
      {sats > 0 && <p className="muted">{t('payment-suggested', { count: sats })}</p>}
      {timeSplits.map(split => (
        <TimeSplit key={split.startTime} split={split} />
      ))}
    </section>
  )
}

function TimeSplit({ split }: { split: ValueTimeSplit }) {
  const { t } = useTranslation()
  const { startTime, duration, remoteItem, remotePercentage, recipients } = split
  const from = formatDuration(startTime)
  const to = formatDuration(startTime + duration)
  const remote = remoteItem && (remoteItem.title ?? remoteItem.itemGuid ?? remoteItem.feedUrl ?? remoteItem.feedGuid)
  return (
    <>
      <h5 className="muted numbers">{t('payment-part', { from, to })}</h5>
      <Recipients
        recipients={[...(remote ? [{ name: remote, split: remotePercentage ?? 100, fee: true }] : []), ...recipients]}
        isPart
      />
    </>
  )
}

const formatPercent = (part: number) =>
  new Intl.NumberFormat(regionalLanguage(), { style: 'percent', maximumFractionDigits: 1 }).format(part)

/** A fee is a percentage of the whole; the others share what is left. */
function Recipients({ recipients, isPart = false }: { recipients: readonly ValueRecipient[]; isPart?: boolean }) {
  const { t } = useTranslation()
  const whole = recipients.reduce((sum, { split = 0, fee }) => (fee ? sum : sum + split), 0)
  return (
    <ul>
      {recipients.map(({ name, address, type, split = 0, fee }, place) => (
        // A feed may name the same recipient twice, and nothing distinguishes them.
        // oxlint-disable-next-line react/no-array-index-key
        <li className="row gap-16 spread" key={place}>
          <Recipient name={name || address || '?'} address={type === 'lnaddress' ? address : undefined} />
          <span className="muted numbers">
            {fee && !isPart && `${t('payment-fee')} · `}
            {formatPercent(fee ? split / 100 : whole > 0 ? split / whole : 0)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** An address that a wallet opens looks like `name@host`. Others are keys of machines. */
function Recipient({ name, address = '' }: { name: string; address: string | undefined }) {
  const { t } = useTranslation()
  if (!/^[\w.+-]+@[\w.-]+$/.test(address)) return <span dir="auto">{name}</span>
  return (
    <a href={`lightning:${address}`} rel="noopener noreferrer" dir="auto" aria-label={t('pay-by-lightning', { name })}>
      {name}
    </a>
  )
}
