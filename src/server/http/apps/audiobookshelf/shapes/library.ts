import type { Context } from '../../../../context'

/** The one library that apps see: this server. */
export const libraryIdOf = ({ store }: Context) => store.settings.current().id
