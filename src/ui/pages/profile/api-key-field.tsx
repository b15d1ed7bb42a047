import { RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../shared/api/user'
import { useApp } from '../../app-context'
import { Check, KeyField } from '../../components/fields'
import { IconButton } from '../../components/buttons'
import { FormDialog } from '../../library/forms/form-dialog'
import { useCopyKey } from '../../library/forms/copy'

type Key = { value: string; isSaved: boolean }
type ApiKey = ReturnType<typeof useApiKey>

/** A new API key, as long as it is shown. The server keeps a hash only, so it cannot show the one in force. */
export function useApiKey() {
  const [key, setKey] = useState<Key | null>(null)
  const [forAssistants, setForAssistants] = useState(false)
  return {
    key,
    forAssistants,
    setForAssistants,
    /** Sent with the form; null if there is nothing new. */
    unsaved: key && !key.isSaved ? key.value : null,
    generate: () => setKey({ value: newApiKey(), isSaved: false }),
    markSaved: () => setKey(shown => shown && { ...shown, isSaved: true }),
    forget: () => setKey(null),
  }
}

type Props = { user: User; apiKey: ApiKey; onRemove: () => void }

/** The API key of an account: generated here, saved with the form. */
export function ApiKeyField({ user, apiKey, onRemove }: Props) {
  const { t } = useTranslation()
  const copyKey = useCopyKey()
  const value = apiKey.key?.value ?? ''
  const isNew = apiKey.unsaved !== null
  return (
    <>
      <KeyField
        label={t('api-key')}
        help={t(helpOf(user, apiKey.key))}
        value={value}
        placeholder={user.apiKeySet ? '••••••••••••••••••••••••••••••••' : '–'}
        onCopy={value !== '' && (() => void copyKey(value))}
      >
        <IconButton icon={RefreshCw} label={t('regenerate-api-key')} onClick={apiKey.generate} />
        {user.apiKeySet && <IconButton icon={Trash2} label={t('remove-api-key')} onClick={onRemove} />}
      </KeyField>
      {user.apiKeyForAssistants !== null && (isNew || user.apiKeySet) && (
        <Check
          isOn={isNew ? apiKey.forAssistants : user.apiKeyForAssistants}
          isDisabled={!isNew}
          onChange={apiKey.setForAssistants}
        >
          {t('api-key-assistants')}
        </Check>
      )}
      {isNew && apiKey.forAssistants && <p className="muted">{t('api-key-assistants-text')}</p>}
    </>
  )
}

type RemoveProps = { onRemoved: () => void; onClose: () => void }

/** Asks before the API key is removed. A separate form, next to the account's. */
export function RemoveApiKeyDialog({ onRemoved, onClose }: RemoveProps) {
  const { session } = useApp()
  const { t } = useTranslation()
  async function remove() {
    await session.removeApiKey()
    onRemoved()
  }
  return (
    <FormDialog
      isDanger
      title={t('remove-api-key-title')}
      action={t('remove-api-key')}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t('remove-api-key-text')}</p>
    </FormDialog>
  )
}

function helpOf(user: User, key: Key | null): string {
  if (key) return key.isSaved ? 'api-key-saved' : 'api-key-unsaved'
  return user.apiKeySet ? 'api-key-set' : 'api-key-none'
}

/** A random UUID (version 4) without its dashes. `crypto.randomUUID` needs https. */
function newApiKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
