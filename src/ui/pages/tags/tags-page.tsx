import { useSignals } from '@preact/signals-react/runtime'
import { Plus, Tags, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Tag, TagColor } from '../../../shared/api/podcast'
import { tagColors } from '../../../shared/choices'
import { useApp } from '../../app-context'
import { CopyFeedButton } from '../../library/forms/copy'
import { FormDialog } from '../../library/forms/form-dialog'
import { IconButton } from '../../components/buttons'
import { PageHeader } from '../../components/page-header'
import { Empty, Failed, Skeleton } from '../../components/states'
import { onSubmit, useAction } from '../../components/use-action'
import { TagDot } from '../../library/covers'
import { routes } from '../../routes'
import './tags.css'

/** The user's tags: creates, renames, recolours and deletes them. */
export function TagsPage() {
  useSignals()
  const { tags } = useApp()
  const { t } = useTranslation()
  const [removing, setRemoving] = useState<Tag | null>(null)
  useEffect(() => void tags.load(), [tags])
  const all = tags.all.value
  const error = tags.error.value
  return (
    <div className="tags narrow">
      <PageHeader title={t('tags')} />
      {error !== null && <Failed error={error} onRetry={() => void tags.load()} />}
      {!all && error === null && <Skeleton kind="row" count={3} />}
      {all && <NewTagForm />}
      {all?.length === 0 && <Empty icon={Tags}>{t('no-tags')}</Empty>}
      {all && all.length > 0 && (
        <ul className="tag-list card lined">
          {all.map(tag => (
            <TagRow key={tag.id} tag={tag} onRemove={() => setRemoving(tag)} />
          ))}
        </ul>
      )}
      {removing && <RemoveTagDialog tag={removing} onClose={() => setRemoving(null)} />}
    </div>
  )
}

function TagRow({ tag, onRemove }: { tag: Tag; onRemove: () => void }) {
  useSignals()
  const { tags, library, failed } = useApp()
  const { t } = useTranslation()
  const { id, name } = tag
  const count = library.all.value.filter(podcast => podcast.tags.some(other => other.id === id)).length
  return (
    <li className="row gap-8">
      <ColorField
        value={tag.color}
        label={t('color-of', { name })}
        onChange={color => void tags.edit(id, { name, color }).catch(failed)}
      />
      <NameField tag={tag} />
      <Link
        href={`${routes.podcasts}?tag=${id}`}
        className="muted numbers nowrap"
        aria-label={t('podcasts-count', { count })}
      >
        <span className="above-phone">{t('podcasts-count', { count })}</span>
        <span className="on-phone">{count}</span>
      </Link>
      <CopyFeedButton path={`tag/${id}`} of={name} />
      <IconButton icon={Trash2} label={t('delete-tag', { name })} onClick={onRemove} />
    </li>
  )
}

function RemoveTagDialog({ tag: { id, name }, onClose }: { tag: Tag; onClose: () => void }) {
  const { tags, toasts } = useApp()
  const { t } = useTranslation()
  async function remove() {
    await tags.remove(id)
    toasts.done(t('tag-deleted'))
  }
  return (
    <FormDialog
      isDanger
      title={t('delete-tag-title', { name })}
      action={t('delete-tag', { name })}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t('delete-tag-text')}</p>
    </FormDialog>
  )
}

/** A tag's name, saved on Enter or when the field loses the focus. Escape restores it. */
function NameField({ tag }: { tag: Tag }) {
  const { tags, failed } = useApp()
  const { t } = useTranslation()
  const [name, setName] = useState(tag.name)
  useEffect(() => setName(tag.name), [tag.name])
  async function save() {
    const wanted = name.trim()
    if (wanted === tag.name) return
    try {
      if (wanted === '') setName(tag.name)
      else await tags.edit(tag.id, { name: wanted, color: tag.color })
    } catch (error) {
      setName(tag.name)
      failed(error)
    }
  }
  return (
    <input
      className="grow strong"
      value={name}
      dir="auto"
      aria-label={t('name-of-tag', { name: tag.name })}
      maxLength={100}
      onChange={event => setName(event.target.value)}
      onBlur={() => void save()}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setName(tag.name)
      }}
    />
  )
}

type ColorProps = { value: TagColor; label: string; onChange: (color: TagColor) => void }

/** A colour to be chosen: its dot and its name; on a phone the dot alone. */
function ColorField({ value, label, onChange }: ColorProps) {
  const { t } = useTranslation()
  return (
    <span className="tag-color rigid relative">
      <TagDot color={value} />
      <select value={value} aria-label={label} onChange={event => onChange(event.target.value as TagColor)}>
        {tagColors.map(color => (
          <option key={color} value={color}>
            {t(`color-${color}`)}
          </option>
        ))}
      </select>
    </span>
  )
}

function NewTagForm() {
  const { tags, failed } = useApp()
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [color, setColor] = useState<TagColor>('Green')
  const adding = useAction(async () => {
    if (name.trim() === '') return
    await tags.create({ name: name.trim(), color })
    setName('')
  }, failed)
  return (
    <form className="tag-new wrap gap-8 spaced" onSubmit={onSubmit(() => adding.run())}>
      <ColorField value={color} label={t('color')} onChange={setColor} />
      <input
        value={name}
        className="shrinks"
        placeholder={t('new-tag')}
        aria-label={t('new-tag')}
        maxLength={100}
        required
        onChange={event => setName(event.target.value)}
      />
      <button type="submit" className="with-icon centred">
        <Plus size={18} aria-hidden="true" />
        {t('add')}
      </button>
    </form>
  )
}
