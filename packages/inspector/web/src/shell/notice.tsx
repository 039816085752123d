import { Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { PlainText } from '../ui/plain-text.tsx'

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
        <PlainText text={message} />
      </Text>
      {children}
    </Stack>
  )
}

interface State {
  readonly message: string | null
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { message: null }

  static getDerivedStateFromError(error: unknown): State {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    const { message } = this.state
    if (message === null) return this.props.children
    return (
      <Notice
        title="This part of the page can not be shown"
        message={`Its data is not what was expected (${message}).`}
      />
    )
  }
}
