import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface NoticeProps {
  readonly title: string
  readonly message: string
  readonly children?: ReactNode
}

export function Notice({ title, message, children }: NoticeProps) {
  return (
    <Stack role="status" gap="xs" maw={520} mx="auto" px="md" py={72} data-testid="notice">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      {children}
    </Stack>
  )
}
