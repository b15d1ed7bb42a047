import { useTranslation } from 'react-i18next'
import type { SmartRule } from '../../../shared/api/playlist'
import { episodeTypes, playedStates } from '../../../shared/choices'
import { MAX_NAMED, MAX_WORDS } from '../../../shared/limits'
import { NumberInput } from '../../components/fields'
import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { useApp } from '../../app-context'

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
      return <Choice value={rule.is} options={playedStates} onChange={is => onChange({ ...rule, is })} />
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
            maxLength={MAX_WORDS}
            onChange={event => onChange({ ...rule, words: event.target.value })}
          />
        </>
      )
    case 'season':
      return <Count label={t('rule.season')} value={rule.is} max={100_000} onChange={is => onChange({ ...rule, is })} />
    case 'type':
      return <Choice value={rule.is} options={episodeTypes} onChange={is => onChange({ ...rule, is })} />
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
    <label className="rule-count flush row gap-8">
      <NumberInput min={1} {...number} />
      <span>{label}</span>
    </label>
  )
}

type RuleNamesProps = { kind: 'podcast' | 'tag'; ids: readonly string[]; onChange: (ids: string[]) => void }

/** The podcasts or tags that a rule names: chips that can be removed, and a choice of the others. */
function RuleNames({ kind, ids, onChange }: RuleNamesProps) {
  const { t } = useTranslation()
  const names = useNames(kind)
  const others = [...names].filter(([id]) => !ids.includes(id))
  const goneIds = ids.filter(id => !names.has(id))
  return (
    <div className="rule-names shrinks wrap gap-6">
      {ids.map(id => {
        const name = names.get(id) ?? t(`rule-gone.${kind}`)
        return (
          <button
            key={id}
            type="button"
            className="filter-chip with-icon gap-6 muted"
            data-gone={names.has(id) ? undefined : ''}
            aria-label={t('remove-from-rule', { name })}
            onClick={() => onChange(ids.filter(other => other !== id))}
          >
            <span className="truncate" dir="auto">
              {name}
            </span>
            <X size={14} aria-hidden="true" />
          </button>
        )
      })}
      <select
        aria-label={t(`rule-add.${kind}`)}
        value=""
        disabled={ids.length >= MAX_NAMED || others.length === 0}
        onChange={event => onChange([...ids, event.target.value])}
      >
        <option value="">{t(`rule-add.${kind}`)}</option>
        {others.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {goneIds.length > 0 && (
        <small className="field-failure">{t(goneIds.length === ids.length ? 'rule-all-gone' : 'rule-some-gone')}</small>
      )}
    </div>
  )
}

/** Names by id, in their order. */
function useNames(kind: 'podcast' | 'tag'): Map<string, string> {
  useSignals()
  const { library, tags } = useApp()
  const rows = kind === 'podcast' ? library.all.value : (tags.all.value ?? [])
  return new Map(
    rows.map(({ id, name }) => [id, name] as const).toSorted(([, one], [, other]) => one.localeCompare(other)),
  )
}
