import { Ellipsis } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { Menu } from '../../components/menu'
import type { EpisodeMenuProps } from './episode-menu-items'

let entries: typeof import('./episode-menu-items') | null = null

/** Loads the entries of the menu, which a page shows without. */
async function loadEntries() {
  entries ??= await import('./episode-menu-items')
  return true
}

/** The menu of an episode. */
export function EpisodeMenu(props: EpisodeMenuProps) {
  const app = useApp()
  const { t } = useTranslation()
  const { name } = props.wrapper.podcastEpisode
  return (
    <Menu
      icon={Ellipsis}
      label={t('more-of', { name })}
      heading={name}
      load={entries ? undefined : () => loadEntries().catch(app.failed)}
      items={() => entries?.itemsOf(props, app, t) ?? []}
    />
  )
}
