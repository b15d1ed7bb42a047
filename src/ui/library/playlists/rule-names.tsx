import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MOST_NAMED } from '../../../shared/smart-limits'
import { useApp } from '../../app-context'

type Props = { kind: 'podcast' | 'tag'; ids: readonly string[]; onChange: (ids: string[]) => void }

/** The podcasts or tags that a rule names: chips that can be removed, and a choice of the others. */
export function RuleNames({ kind, ids, onChange }: Props) {
  const { t } = useTranslation()
  const names = useNames(kind)
  const others = [...names].filter(([id]) => !ids.includes(id))
  const goneIds = ids.filter(id => !names.has(id))
  return (
    <div className="rule-names">
      {ids.map(id => {
        const name = names.get(id) ?? t(`rule-gone.${kind}`)
        return (
          <button
            key={id}
            type="button"
            className="filter-chip"
            data-gone={names.has(id) ? undefined : ''}
            aria-label={t('remove-from-rule', { name })}
            onClick={() => onChange(ids.filter(other => other !== id))}
          >
            <span dir="auto">{name}</span>
            <X size={14} aria-hidden="true" />
          </button>
        )
      })}
      <select
        aria-label={t(`rule-add.${kind}`)}
        value=""
        disabled={ids.length >= MOST_NAMED || others.length === 0}
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
