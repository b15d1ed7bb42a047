import { Heart } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'

/** Makes a podcast a favourite, or no longer one. */
export function FavouriteButton({ podcast, className }: { podcast: KnownPodcast; className: string }) {
  const { library, failed } = useApp()
  const { t } = useTranslation()
  const { id, name, favorites } = podcast
  return (
    <IconButton
      icon={Heart}
      label={favorites ? t('unfavour', { name }) : t('favour', { name })}
      aria-pressed={favorites}
      className={className}
      onClick={() => void library.favour(id, !favorites).catch(failed)}
    />
  )
}
