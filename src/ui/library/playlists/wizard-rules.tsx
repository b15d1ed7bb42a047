import { useSignals } from '@preact/signals-react/runtime'
import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { SmartRule, SmartRules } from '../../../shared/api/playlist'
import { smartOrders } from '../../../shared/choices'
import { MAX_KEPT_DOWNLOADED, MAX_SMART_PLAYLIST } from '../../../shared/limits'
import { mayKeep } from '../../../shared/may-keep'
import { useApp } from '../../app-context'
import { Field, NumberInput, SelectField } from '../../components/fields'
import { IconButton } from '../../components/buttons'
import { describeFailure } from '../../failure'
import { formatMinutes } from '../../format'
import type { PlaylistItem } from '../../state/playlist-editor'
import {
  areComplete,
  blankRule,
  canAddRule,
  isUntouched,
  ruleFields,
  sendable,
  type Template,
  templates,
  withOneMore,
  withoutRule,
  withRule,
} from '../../state/smart-rules'
import { useResource } from '../../use-resource'
import { EpisodeCover } from '../covers'
import './playlists.css'
import { RuleValue } from './rule-value'
import { usePlaylistEditor } from './use-playlist-editor'

/** The wizard's second step for a smart playlist: templates, rules, and what matches them now. */
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
      <ol className="rules single below-12 stack gap-8">
        {rules.rules.map((rule, place) => (
          // Rules have no identity except their place.
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
        className="secondary with-icon spaced"
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

/** Rules to begin with. Rules that somebody wrote can be restored from a notice, as long as this step is shown. */
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
    <fieldset className="wrap gap-8 spaced" aria-label={t('templates')}>
      {(Object.keys(templates) as Template[]).map(template => (
        <button
          key={template}
          type="button"
          className="filter-chip with-icon gap-6 muted"
          onClick={() => begin(template)}
        >
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
    <div className="rules-bounds x-16 stack above-16">
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
        max={MAX_SMART_PLAYLIST}
        onChange={limit => change({ ...rules, limit })}
      />
      {session.mayUpload.value && mayKeep(rules) && (
        <NumberField
          label={t('keep-downloaded')}
          help={t('keep-downloaded-help')}
          value={rules.keepDownloaded}
          min={0}
          max={MAX_KEPT_DOWNLOADED}
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

type Props = { rule: SmartRule; number: number; onChange: (rule: SmartRule) => void; onRemove: () => void }

/** One rule as a sentence of controls: what it is about, how it compares, and with what. */
function RuleRow({ rule, number, onChange, onRemove }: Props) {
  const { t } = useTranslation()
  return (
    <fieldset className="rule shrinks rounded relative wrap gap-8" aria-label={t('rule-number', { number })}>
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
      <IconButton icon={X} label={t('remove-rule', { number })} className="absolute" onClick={onRemove} />
    </fieldset>
  )
}

const PREVIEW_AFTER_MS = 250

/** The episodes that the rules match now. It follows the rules with a delay and drops answers that are outdated. */
function RulesPreview({ rules }: { rules: SmartRules }) {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const asked = areComplete(rules) ? JSON.stringify({ ...rules, keepDownloaded: 0 }) : null
  const preview = useResource(
    async (_, text: string | null) =>
      text === null ? null : await api.playlists.preview(JSON.parse(text) as SmartRules),
    [asked],
    { debounceMs: PREVIEW_AFTER_MS },
  )
  const { data } = preview
  return (
    <section
      className="rules-preview rounded sunken"
      aria-label={t('rules-preview')}
      data-stale={preview.isStale ? '' : undefined}
    >
      <p className="muted numbers flush" role="status">
        {asked === null
          ? t('rules-incomplete')
          : preview.error !== null
            ? describeFailure(preview.error)
            : data &&
              (data.count === 0
                ? t('rules-match-nothing')
                : [t('rules-matches', { total: data.count }), data.seconds > 0 && formatMinutes(data.seconds)]
                    .filter(Boolean)
                    .join(' · '))}
      </p>
      {asked !== null && data && data.items.length > 0 && (
        <ul className="above-4">
          {data.items.map(({ podcastEpisode }) => (
            <li className="row gap-12" key={podcastEpisode.id}>
              <EpisodeLine item={podcastEpisode} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** An episode of a playlist in one line: cover, title, podcast. */
export function EpisodeLine({ item }: { item: PlaylistItem }) {
  useSignals()
  const { library } = useApp()
  const podcastName = library.byId.value.get(item.podcast_id)?.name ?? ''
  return (
    <>
      <EpisodeCover episode={item} podcastName={podcastName} size={64} />
      <span className="sortable-text grow">
        <span className="truncate block">{item.name}</span>
        <span className="muted truncate block">{podcastName}</span>
      </span>
    </>
  )
}
