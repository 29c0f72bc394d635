/** Headers in the OpenAPI description. */

const header = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } }) as const;

/** Headers of counted responses, for tiers with a daily limit. */
export const RATE_LIMIT_HEADERS = {
  "RateLimit-Limit": header("Requests per UTC day"),
  "RateLimit-Remaining": header("Requests left today"),
  "RateLimit-Reset": header("Seconds until the next UTC day"),
} as const;

export const RETRY_AFTER_HEADER = { "Retry-After": header("Seconds to wait before the next attempt") } as const;
