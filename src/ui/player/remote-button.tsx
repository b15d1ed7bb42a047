import { useSignals } from '@preact/signals-react/runtime'
import { Cast } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'

/** Returns whether a speaker or a television plays, whose sound this browser does not shape. */
export function useIsRemote(): boolean {
  useSignals()
  return useApp().extras.value?.remote.isOn.value ?? false
}

/** The button for speakers and televisions; absent if the browser knows of none. */
export function RemoteButton() {
  useSignals()
  const { t } = useTranslation()
  const remote = useApp().extras.value?.remote
  if (!remote || (!remote.isAvailable.value && !remote.isOn.value)) return null
  const isOn = remote.isOn.value
  const prepare = () => void remote.prepare()
  return (
    <IconButton
      icon={Cast}
      label={isOn ? t('remote-playing') : t('play-remotely')}
      className={`remote ${isOn ? 'is-on' : ''}`}
      aria-pressed={isOn}
      aria-busy={remote.isConnecting.value}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => void remote.choose()}
    />
  )
}
