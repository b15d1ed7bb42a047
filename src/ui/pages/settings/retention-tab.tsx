import { useApp } from '../../app-context'
import { Loaded } from '../../components/loaded'
import { useResource } from '../../use-resource'
import { CleanupSection } from './cleanup-section'
import { RetentionForm } from './retention-form'

/** What the server downloads, and what it keeps. Admins change it; others can read it. */
export function RetentionTab() {
  const { api } = useApp()
  const settings = useResource(api.system.settings, [])
  return (
    <Loaded resource={settings} rows={4}>
      {saved => (
        <div className="settings">
          <RetentionForm settings={saved} onSaved={settings.set} />
          <CleanupSection />
        </div>
      )}
    </Loaded>
  )
}
