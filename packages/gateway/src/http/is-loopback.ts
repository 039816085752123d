import { isIP } from 'node:net'

/** True for an address or a name that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (plain === 'localhost' || plain === '::1' || plain === '::ffff:127.0.0.1') return true
  return isIP(plain) === 4 && plain.startsWith('127.')
}
