/** Whose a session is when nobody is named. */
export const DEFAULT_PRINCIPAL = 'local'
