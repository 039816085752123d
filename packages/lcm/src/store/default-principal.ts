/** Whose a session is when nobody says so. */
export const DEFAULT_PRINCIPAL = 'local'
