/** The owner of a session that names none. */
export const DEFAULT_PRINCIPAL = 'local'
