import { useApp } from '../../app-context'
import { Loaded } from '../../components/loaded'
import { useResource } from '../../use-resource'
import { NamingForm } from './naming-form'
import './settings.css'

/** The names of downloaded files. */
export function NamingTab() {
  const { api } = useApp()
  const settings = useResource(api.system.settings, [])
  return (
    <Loaded resource={settings} rows={4}>
      {saved => <NamingForm settings={saved} onSaved={settings.set} />}
    </Loaded>
  )
}
