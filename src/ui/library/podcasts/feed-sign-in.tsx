import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../components/text-field'

/** Asks for the name and the password of a feed. They belong to the form around them. */
export function FeedSignIn({ onChange }: { onChange: (user: string, password: string) => void }) {
  const { t } = useTranslation()
  const [given, setGiven] = useState({ user: '', password: '' })
  function change(edit: Partial<typeof given>) {
    const next = { ...given, ...edit }
    setGiven(next)
    onChange(next.user, next.password)
  }
  return (
    <div className="feed-sign-in">
      <TextField
        label={t('username')}
        value={given.user}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        // The fields appear where the address left something to be typed.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={user => change({ user })}
      />
      <TextField
        label={t('password')}
        type="password"
        value={given.password}
        autoComplete="off"
        onChange={password => change({ password })}
      />
      <p className="muted">{t('feed-sign-in-help')}</p>
    </div>
  )
}
