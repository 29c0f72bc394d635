-- Which packages without an answer occur most often, and why have they none?
--
-- package                 | reason           | documents
-- pkg:npm/%40acme/inhouse | purl-not-tracked |         6
SELECT coalesce(regexp_replace(purl, '@[^@/]*$', ''), name) AS package, reason, count(DISTINCT file) AS documents
FROM unmatched JOIN last_day USING (day)
GROUP BY package, reason
ORDER BY documents DESC, package
LIMIT 50;
