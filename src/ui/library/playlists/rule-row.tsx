import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SmartRule } from '../../../shared/api/smart-playlist'
import { IconButton } from '../../components/icon-button'
import { blankRule, ruleFields } from '../../state/smart-rules'
import { RuleValue } from './rule-value'

type Props = { rule: SmartRule; number: number; onChange: (rule: SmartRule) => void; onRemove: () => void }

/** One rule as a sentence of controls: what it is about, how it compares, and with what. */
export function RuleRow({ rule, number, onChange, onRemove }: Props) {
  const { t } = useTranslation()
  return (
    <fieldset className="rule" aria-label={t('rule-number', { number })}>
      <select
        className="rule-field"
        aria-label={t('rule-field')}
        value={rule.field}
        onChange={event => onChange(blankRule(event.target.value as SmartRule['field']))}
      >
        {ruleFields.map(field => (
          <option key={field} value={field}>
            {t(`rule.${field}`)}
          </option>
        ))}
      </select>
      <RuleValue rule={rule} onChange={onChange} />
      <IconButton icon={X} label={t('remove-rule', { number })} onClick={onRemove} />
    </fieldset>
  )
}
