import { useTranslation } from 'react-i18next'
import type { SmartRule } from '../../../shared/api/smart-playlist'
import { LONGEST_WORDS } from '../../../shared/smart-limits'
import { NumberInput } from '../../components/number-input'
import { RuleNames } from './rule-names'

type Props<Rule> = { rule: Rule; onChange: (rule: SmartRule) => void }

const MINUTE = 60

/** The controls of a rule behind its field. */
export function RuleValue({ rule, onChange }: Props<SmartRule>) {
  const { t } = useTranslation()
  switch (rule.field) {
    case 'podcast':
      return (
        <>
          <Choice value={rule.op} options={['is', 'is-not']} onChange={op => onChange({ ...rule, op })} />
          <RuleNames kind="podcast" ids={rule.podcasts} onChange={podcasts => onChange({ ...rule, podcasts })} />
        </>
      )
    case 'tag':
      return (
        <>
          <Choice value={rule.op} options={['is', 'is-not']} onChange={op => onChange({ ...rule, op })} />
          <RuleNames kind="tag" ids={rule.tags} onChange={tags => onChange({ ...rule, tags })} />
        </>
      )
    case 'favourite':
    case 'downloaded':
    case 'liked':
      return (
        <Choice
          value={rule.is ? 'yes' : 'no'}
          options={['yes', 'no']}
          onChange={answer => onChange({ ...rule, is: answer === 'yes' })}
        />
      )
    case 'played':
      return (
        <Choice
          value={rule.is}
          options={['unplayed', 'started', 'finished']}
          onChange={is => onChange({ ...rule, is })}
        />
      )
    case 'duration':
      return (
        <>
          <Choice value={rule.op} options={['at-least', 'at-most']} onChange={op => onChange({ ...rule, op })} />
          <Count
            label={t('rule-minutes')}
            value={Math.round(rule.seconds / MINUTE)}
            max={10_000}
            onChange={minutes => onChange({ ...rule, seconds: minutes * MINUTE })}
          />
        </>
      )
    case 'age':
      return (
        <>
          <Choice value={rule.op} options={['within', 'older']} onChange={op => onChange({ ...rule, op })} />
          <Count label={t('rule-days')} value={rule.days} max={36_500} onChange={days => onChange({ ...rule, days })} />
        </>
      )
    case 'title':
      return (
        <>
          <Choice value={rule.op} options={['contains', 'lacks']} onChange={op => onChange({ ...rule, op })} />
          <input
            aria-label={t('rule-words')}
            placeholder={t('rule-words')}
            value={rule.words}
            maxLength={LONGEST_WORDS}
            onChange={event => onChange({ ...rule, words: event.target.value })}
          />
        </>
      )
    case 'season':
      return <Count label={t('rule.season')} value={rule.is} max={100_000} onChange={is => onChange({ ...rule, is })} />
    case 'type':
      return (
        <Choice value={rule.is} options={['full', 'trailer', 'bonus']} onChange={is => onChange({ ...rule, is })} />
      )
  }
}

type ChoiceProps<T extends string> = { value: T; options: readonly T[]; onChange: (value: T) => void }

function Choice<T extends string>({ value, options, onChange }: ChoiceProps<T>) {
  const { t } = useTranslation()
  return (
    <select aria-label={t('rule-compare')} value={value} onChange={event => onChange(event.target.value as T)}>
      {options.map(option => (
        <option key={option} value={option}>
          {t(`rule-is.${option as string}`)}
        </option>
      ))}
    </select>
  )
}

type CountProps = { label: string; value: number; max: number; onChange: (value: number) => void }

/** A whole number from 1 on, with its unit. */
function Count({ label, ...number }: CountProps) {
  return (
    <label className="rule-count">
      <NumberInput min={1} {...number} />
      <span>{label}</span>
    </label>
  )
}
