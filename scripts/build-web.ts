// Builds the pages where they have to be built, for an image that only starts the product.
import { buildWebIfNeeded } from '#server/web-build.ts'

await buildWebIfNeeded((sentence) => console.log(sentence))
