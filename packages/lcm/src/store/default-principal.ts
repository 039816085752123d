/** The principal of a session for which none is named. */
export const DEFAULT_PRINCIPAL = 'local'
