import { useNavigate } from 'react-router'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { resultsPath, type SearchFilters } from '../filters.ts'
import { keepReading, type KeptReading } from './kept-reading.ts'
import { withSentence } from './with-sentence.ts'

type Props = { filters: SearchFilters; reading: KeptReading }

/** What of a sentence became no filter: a question, then the words not used. */
export default function SentenceNotes({ filters, reading }: Props) {
  const navigate = useNavigate()
  const { unused, ask } = reading
  return (
    <div className="flex max-w-2xl flex-col gap-4 pt-4 empty:hidden">
      {ask && (
        <Alert
          live="polite"
          title={`Where is “${ask.text}”?`}
          actions={
            <>
              {ask.options.map(({ label, filters: wanted }) => (
                <Button
                  key={label}
                  variant="secondary"
                  onPress={() => {
                    keepReading({ ...reading, ask: null })
                    void navigate(resultsPath(withSentence(filters, wanted)), { preventScrollReset: true })
                  }}
                >
                  {label}
                </Button>
              ))}
              <Button variant="quiet" onPress={() => keepReading({ ...reading, ask: null })}>
                None of these
              </Button>
            </>
          }
        >
          Choose a place to see who you can meet near it.
        </Alert>
      )}
      {unused.length > 0 && (
        <p role="status" className="text-sm wrap-anywhere text-soft">
          Not used: {unused.map((text) => `“${text}”`).join(', ')}. You can try other words, or choose from
          the filters.
        </p>
      )}
    </div>
  )
}
