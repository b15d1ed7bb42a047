import { useTranslation } from 'react-i18next'
import { useSignals } from '@preact/signals-react/runtime'
import { Layers } from 'lucide-react'
import { useApp } from '../app-context'
import { Menu } from '../components/menu'
import { factsOfForm, nameOfForm } from '../library/episodes/form-words'
import { useResource } from '../use-resource'
import type { Playing } from './state'

/** Chooses among the forms of the episode that plays; nothing where its feed offers only one. */
export function FormMenu({ playing: { episode, form } }: { playing: Playing }) {
  useSignals()
  const { api, player } = useApp()
  const { t } = useTranslation()
  const { data, isStale } = useResource((_, eid: string) => api.episodes.find(eid), [episode.episode_id])
  const forms = isStale ? [] : (data?.extras.forms ?? [])
  if (forms.length === 0) return null
  return (
    <Menu
      icon={Layers}
      label={t('forms')}
      items={[
        { label: t('form-main'), isChecked: !form, onSelect: () => player.chooseForm(null) },
        ...forms.map(one => ({
          label: [nameOfForm(one), factsOfForm(one)].filter(Boolean).join(' · '),
          isChecked: one.id === form?.id,
          onSelect: () => player.chooseForm(one),
        })),
      ]}
    />
  )
}
