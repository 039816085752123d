import { expect, it } from 'vitest'
import { withoutRedirects } from '../src/index.ts'
import { loopback } from './support/loopback.ts'

it('answers a redirect with where it leads, and leaves a call alone that says what to do', async () => {
  await using server = await loopback(({ url }, response) => {
    if (url === '/a') response.writeHead(307, { location: '/b?key=secret' }).end()
    else response.end('there')
  })
  const fetchHere = withoutRedirects()
  const refused = await fetchHere(`${server.baseUrl}/a`, { method: 'POST', body: 'x' })
  expect(refused.status).toBe(404)
  expect(await refused.json()).toMatchObject({
    error: {
      message: `the server redirects to ${server.baseUrl}, which is not followed: set the base URL accordingly`,
    },
  })
  expect(await (await fetchHere(`${server.baseUrl}/b`)).text()).toBe('there')
  const followed = await fetchHere(`${server.baseUrl}/a`, { method: 'POST', body: 'x', redirect: 'follow' })
  expect(await followed.text()).toBe('there')
})
