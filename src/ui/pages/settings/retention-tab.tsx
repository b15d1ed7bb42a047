import { useApp } from '../../app-context'
import { Loaded } from '../../components/loaded'
import { useResource } from '../../use-resource'
import { CleanupSection } from './cleanup-section'
import { RetentionForm } from './retention-form'

/** The settings of downloading and keeping files. Admins change them; others can read them. */
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
