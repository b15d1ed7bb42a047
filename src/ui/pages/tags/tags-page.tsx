import { useSignals } from '@preact/signals-react/runtime'
import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Tag, TagColor } from '../../../shared/api/tag'
import { useApp } from '../../app-context'
import { FormDialog } from '../../library/forms/form-dialog'
import { IconButton } from '../../components/icon-button'
import { PageHeader } from '../../components/page-header'
import { Empty, Failed, Skeleton } from '../../components/states'
import { TagDot } from '../../library/tags/tag-dot'
import { routes } from '../../routes'
import './tags-page.css'

const colors: readonly TagColor[] = ['Red', 'Green', 'Blue']

/** The user's tags: creates, renames, recolours and deletes them. */
export function TagsPage() {
  useSignals()
  const { tags, library, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [removing, setRemoving] = useState<Tag | null>(null)
  useEffect(() => void tags.load(), [tags])
  const countOf = (tag: Tag) => library.all.value.filter(podcast => podcast.tags.some(({ id }) => id === tag.id)).length

  return (
    <div className="tags">
      <PageHeader title={t('tags')} />
      {tags.error.value !== null && <Failed error={tags.error.value} onRetry={() => void tags.load()} />}
      {!tags.all.value && tags.error.value === null && <Skeleton kind="row" count={3} />}
      {tags.all.value && <NewTagForm />}
      {tags.all.value?.length === 0 && <Empty>{t('no-tags')}</Empty>}
      <ul className="tag-list">
        {tags.all.value?.map(tag => (
          <li key={tag.id}>
            <TagDot color={tag.color} />
            <NameField tag={tag} />
            <ColorField
              value={tag.color}
              label={t('color-of', { name: tag.name })}
              onChange={color => void tags.edit(tag.id, { name: tag.name, color }).catch(failed)}
            />
            <Link href={`${routes.podcasts}?tag=${tag.id}`} className="muted numbers">
              {t('podcasts-count', { count: countOf(tag) })}
            </Link>
            <IconButton icon={Trash2} label={t('delete-tag', { name: tag.name })} onClick={() => setRemoving(tag)} />
          </li>
        ))}
      </ul>
      {removing && (
        <FormDialog
          isDanger
          title={t('delete-tag-title', { name: removing.name })}
          action={t('delete-tag', { name: removing.name })}
          onSubmit={async () => {
            await tags.remove(removing.id)
            toasts.done(t('tag-deleted'))
          }}
          onClose={() => setRemoving(null)}
        >
          <p>{t('delete-tag-text')}</p>
        </FormDialog>
      )}
    </div>
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
      value={name}
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

function ColorField({ value, label, onChange }: ColorProps) {
  const { t } = useTranslation()
  return (
    <select value={value} aria-label={label} onChange={event => onChange(event.target.value as TagColor)}>
      {colors.map(color => (
        <option key={color} value={color}>
          {t(`color-${color}`)}
        </option>
      ))}
    </select>
  )
}

function NewTagForm() {
  const { tags, failed } = useApp()
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [color, setColor] = useState<TagColor>('Green')
  async function add(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return
    try {
      await tags.create({ name: name.trim(), color })
      setName('')
    } catch (error) {
      failed(error)
    }
  }
  return (
    <form className="tag-new" onSubmit={event => void add(event)}>
      <input
        value={name}
        placeholder={t('new-tag')}
        aria-label={t('new-tag')}
        maxLength={100}
        required
        onChange={event => setName(event.target.value)}
      />
      <ColorField value={color} label={t('color')} onChange={setColor} />
      <button type="submit" className="with-icon">
        <Plus size={18} aria-hidden="true" />
        {t('add')}
      </button>
    </form>
  )
}
