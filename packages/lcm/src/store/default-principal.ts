export const DEFAULT_PRINCIPAL = 'local'
