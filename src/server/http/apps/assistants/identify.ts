import type { AssistantSignedIn } from '../../../accounts/sign-in/assistants'
import type { Context } from '../../../context'

/**
 * Finds out for whom an assistant works: by the key in its header, never by a cookie, a password or the address. In
 * open mode everybody is the built-in admin, but a key that is sent must be right, and a key that only reads stays one.
 */
export async function identify(app: Context, request: Request, address: string): Promise<AssistantSignedIn> {
  const authorization = request.headers.get('authorization')
  if (app.config.isOpen && authorization === null) return { user: app.store.users.find(app.admin.id)!, mayChange: true }
  return app.signIn.ofAssistant(authorization, address)
}
