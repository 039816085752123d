const KEY = 'palimpsest-token'

export function readToken(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function storeToken(token: string): void {
  try {
    sessionStorage.setItem(KEY, token)
  } catch {
    // It is asked for again after a reload.
  }
}
