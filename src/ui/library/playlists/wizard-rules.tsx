import { useSignals } from '@preact/signals-react/runtime'
import { Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LARGEST_SMART_PLAYLIST, MOST_KEPT_DOWNLOADED } from '../../../shared/smart-limits'
import type { SmartRules } from '../../../shared/api/smart-playlist'
import { mayKeep } from '../../../shared/may-keep'
import { useApp } from '../../app-context'
import { Field } from '../../components/field'
import { NumberInput } from '../../components/number-input'
import { SelectField } from '../../components/select-field'
import {
  areComplete,
  canAddRule,
  isUntouched,
  sendable,
  smartOrders,
  templates,
  withOneMore,
  withoutRule,
  withRule,
  type Template,
} from '../../state/smart-rules'
import { RuleRow } from './rule-row'
import { RulesPreview } from './rules-preview'
import { usePlaylistEditor } from './use-playlist-editor'
import './wizard-rules.css'

/** The wizard's second step for a playlist that fills itself: templates, rules, and what matches them now. */
export function WizardRules({ rules }: { rules: SmartRules }) {
  useSignals()
  const { library, tags } = useApp()
  const editor = usePlaylistEditor()
  const change = useRulesChange()
  const { t } = useTranslation()
  // The command line adds and removes podcasts without an event.
  useEffect(() => void Promise.all([tags.load(), library.load()]), [tags, library])
  return (
    <>
      {editor.isNew.value && <Templates rules={rules} />}
      <div className="rules-match">
        <SelectField
          label={t('rules-match')}
          value={rules.match}
          options={['all', 'any']}
          textOf={match => t(`rules-match.${match}`)}
          onChange={match => change({ ...rules, match })}
        />
      </div>
      <ol className="rules">
        {rules.rules.map((rule, place) => (
          // Rules have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place}>
            <RuleRow
              rule={rule}
              number={place + 1}
              onChange={changed => change(withRule(rules, place, changed))}
              onRemove={() => change(withoutRule(rules, place))}
            />
          </li>
        ))}
      </ol>
      {rules.rules.length === 0 && rules.match === 'all' && <p className="muted">{t('rules-none')}</p>}
      <button
        type="button"
        className="secondary with-icon"
        disabled={!canAddRule(rules)}
        onClick={() => change(withOneMore(rules))}
      >
        <Plus size={18} aria-hidden="true" />
        {t('add-rule')}
      </button>
      <Bounds rules={rules} />
      <RulesPreview rules={rules} />
    </>
  )
}

/** Returns a function that puts changed rules into the draft. */
function useRulesChange() {
  const editor = usePlaylistEditor()
  return (rules: SmartRules) => editor.setRules(sendable(rules), areComplete(rules))
}

/** Rules to begin with. Those that somebody wrote come back by a notice, for as long as this step is shown. */
function Templates({ rules }: { rules: SmartRules }) {
  const { toasts } = useApp()
  const change = useRulesChange()
  const { t } = useTranslation()
  const notice = useRef(0)
  useEffect(() => () => void toasts.dismiss(notice.current), [toasts])
  function begin(template: Template) {
    change(templates[template])
    toasts.dismiss(notice.current)
    if (isUntouched(rules)) return
    const text = t('template-replaced', { name: t(`template.${template}`) })
    notice.current = toasts.done(text, { label: t('undo'), run: () => change(rules) })
  }
  return (
    <fieldset className="rules-templates" aria-label={t('templates')}>
      {(Object.keys(templates) as Template[]).map(template => (
        <button key={template} type="button" className="filter-chip" onClick={() => begin(template)}>
          {t(`template.${template}`)}
        </button>
      ))}
    </fieldset>
  )
}

/** The order, the length of the list, and how much of it is kept on the server. */
function Bounds({ rules }: { rules: SmartRules }) {
  useSignals()
  const { session } = useApp()
  const change = useRulesChange()
  const { t } = useTranslation()
  return (
    <div className="rules-bounds">
      <SelectField
        label={t('order')}
        value={rules.order}
        options={smartOrders}
        textOf={order => t(`order.${order}`)}
        onChange={order => change({ ...rules, order })}
      />
      <NumberField
        label={t('rules-limit')}
        value={rules.limit}
        min={1}
        max={LARGEST_SMART_PLAYLIST}
        onChange={limit => change({ ...rules, limit })}
      />
      {session.mayUpload.value && mayKeep(rules) && (
        <NumberField
          label={t('keep-downloaded')}
          help={t('keep-downloaded-help')}
          value={rules.keepDownloaded}
          min={0}
          max={MOST_KEPT_DOWNLOADED}
          onChange={keepDownloaded => change({ ...rules, keepDownloaded })}
        />
      )}
      {session.mayUpload.value && !mayKeep(rules) && <p className="muted">{t('keep-downloaded-never')}</p>}
    </div>
  )
}

type NumberProps = {
  label: string
  help?: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

/** A labelled whole number. */
function NumberField({ label, help, ...number }: NumberProps) {
  return (
    <Field label={label} help={help}>
      {props => <NumberInput {...props} {...number} />}
    </Field>
  )
}
