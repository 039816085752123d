import { Button, Group, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { readToken } from '../data/api.ts'
import { Notice } from './notice.tsx'

export function TokenForm({ onToken }: { readonly onToken: (token: string) => void }) {
  const [token, setToken] = useState('')
  const [isRefused, setRefused] = useState(() => readToken() !== null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (token.trim() !== '') onToken(token.trim())
  }
  return (
    <Notice
      title="This service wants a token"
      message="It is the one that `palimpsest serve` was started with. This tab remembers it until it is closed."
    >
      <form onSubmit={submit}>
        <Group align="start" gap="xs">
          <PasswordInput
            label="Token"
            autoComplete="off"
            style={{ flex: 1 }}
            error={isRefused && 'The service does not take the token that it was given.'}
            value={token}
            onChange={(event) => {
              setToken(event.currentTarget.value)
              setRefused(false)
            }}
            data-testid="token"
          />
          <Button type="submit" mt={22} disabled={token.trim() === ''}>
            Open
          </Button>
        </Group>
      </form>
    </Notice>
  )
}
