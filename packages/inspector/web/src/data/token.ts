const KEY = 'palimpsest-token'

/** The token that was entered in this tab; null when there is none, or when the browser keeps nothing. */
export function readToken(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Keeps the token until the tab is closed, where the browser allows that. */
export function storeToken(token: string): void {
  try {
    sessionStorage.setItem(KEY, token)
  } catch {
    // It is asked for again after a reload.
  }
}
