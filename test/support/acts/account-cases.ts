import type { AuditKind } from '../../../src/shared/audit-kinds'
import { runUsersCommand } from '../../../src/server/cli/users'
import { addPasskey, by, byAdmin, elsewhere, someone, someoneWithCodes, turnOnSecondFactor, type Case } from './case'
import { asAdmin, newPerson, secret, visitor, type World } from './world'

const about = ({ id, name }: { id: string; name: string }) => ({ id, name })

const runUsers = ({ memory }: World, args: string[]) =>
  runUsersCommand(args, memory!.app.context.config, { print: () => {}, readPassword: async () => 'Corr3ctHorse' })

/** Accounts, and what belongs to them. */
export const accountCases = {
  'user-added': [
    {
      what: 'an invitation',
      async cause(world, from) {
        const one = await newPerson(world, 'Irma Invited', from)
        return by(one, { via: 'invite', detail: 'uploader' })
      },
    },
    {
      what: 'a new name from the proxy',
      async cause(world, from) {
        await visitor(world, from).send('GET', '/api/v1/tags', undefined, { 'Remote-User': 'paula' })
        return { by: 'user', actor: { name: 'paula' }, via: 'proxy', detail: 'user' }
      },
    },
    {
      what: 'a command',
      inMemory: true,
      isCommand: true,
      async cause(world) {
        await runUsers(world, ['add', 'carl', '--role', 'uploader'])
        return { by: 'command-line', actor: null, about: { name: 'carl' }, detail: 'uploader', address: '' }
      },
    },
  ],
  'user-renamed': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const one = await someone(world)
        await asAdmin(world, from).users.rename(one.id, 'Renamed')
        return byAdmin({ about: about(one), detail: 'Renamed' })
      },
    },
  ],
  'user-removed': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const one = await someone(world)
        await asAdmin(world, from).users.remove(one.id)
        return byAdmin({ about: about(one) })
      },
    },
  ],
  'role-changed': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const one = await someone(world)
        await asAdmin(world, from).users.change(one.id, { role: 'admin', explicitConsent: true })
        return byAdmin({ about: about(one), detail: 'admin, explicit' })
      },
    },
  ],
  'password-changed': [
    {
      what: 'by oneself',
      async cause(world, from) {
        const one = await someone(world)
        await one.at(from).users.edit(one.id, { password: secret(world, `Pw-${crypto.randomUUID()}`) })
        return by(one)
      },
    },
  ],
  'second-factor-on': [
    {
      what: 'by oneself',
      async cause(world, from) {
        const one = await someone(world)
        await turnOnSecondFactor(world, one, await one.signedInAt(from))
        return by(one)
      },
    },
  ],
  'second-factor-off': [
    {
      what: 'by oneself',
      async cause(world, from) {
        const { one, codes } = await someoneWithCodes(world)
        const browser = visitor(world, from)
        await browser.session.login({ username: one.name, password: one.password, code: codes[0]! })
        await browser.secondFactor.remove({ password: one.password, code: codes[1]! })
        return by(one)
      },
    },
    {
      what: 'by an admin',
      async cause(world, from) {
        const { one } = await someoneWithCodes(world)
        await asAdmin(world, from).secondFactor.removeOf(one.id)
        return byAdmin({ about: about(one) })
      },
    },
  ],
  'recovery-codes-renewed': [
    {
      what: 'by oneself',
      async cause(world, from) {
        const { one, codes } = await someoneWithCodes(world)
        const browser = visitor(world, from)
        await browser.session.login({ username: one.name, password: one.password, code: codes[0]! })
        const { recoveryCodes } = await browser.secondFactor.renewCodes({ password: one.password, code: codes[1]! })
        for (const code of recoveryCodes) secret(world, code)
        return by(one)
      },
    },
  ],
  'passkey-added': [
    {
      what: 'by oneself',
      async cause(world, from) {
        const one = await someone(world)
        await addPasskey(world, one, await one.signedInAt(from))
        return by(one, { detail: 'Laptop' })
      },
    },
  ],
  'passkey-removed': [
    {
      what: 'by oneself',
      async cause(world, from) {
        const one = await someone(world)
        const { passkey } = await addPasskey(world, one, await one.signedInAt(elsewhere))
        await one.at(from).passkeys.remove(passkey.id)
        return by(one, { detail: 'Laptop' })
      },
    },
  ],
  'invite-made': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const { id } = await asAdmin(world, from).invites.create({ role: 'admin', explicitConsent: true })
        secret(world, id)
        return byAdmin({ detail: 'admin' })
      },
    },
  ],
  'invite-removed': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const { invites } = asAdmin(world, from)
        await invites.remove((await invites.create({ role: 'user', explicitConsent: false })).id)
        return byAdmin({ detail: 'user' })
      },
    },
  ],
} satisfies Partial<Record<AuditKind, readonly Case[]>>
