import { expect, it } from 'vitest'
import { touch, touchedBy } from './renders.ts'

it.each([
  ['the deepest folder of all', ['/home/me/shop/src/a.ts', '/home/me/shop/src/b/c.ts'], '/home/me/shop/src/'],
  [
    'the folder of most',
    ['/home/me/shop/a', '/home/me/shop/b', '/home/me/shop/c', '/tmp/d'],
    '/home/me/shop/',
  ],
  [
    'one on a drive',
    ['C:/Users/me/shop/a.ts', 'C:/Users/me/shop/b/c.ts', 'D:/d.ts', 'C:/Users/me/shop/e.ts'],
    'C:/Users/me/shop/',
  ],
  ['none for relative paths', ['src/a.ts', 'src/b.ts'], ''],
  ['none for one file', ['/home/me/shop/src/a.ts'], ''],
  ['none for a short folder', ['/tmp/a', '/tmp/b'], ''],
  ['none for files all over the place', ['/home/me/shop/a', '/var/lib/shop/b', '/srv/www/shop/c'], ''],
])('finds %s', (_, paths, folder) => {
  const files = touchedBy([...paths, ...paths].map((path, turn) => touch(path, 'read', turn)))
  expect(files.lines().folder).toBe(folder)
})
