-- Which statements about software in use were read the longest time ago?
--
-- stated_on  | product | cycle | documents | source_url
-- 2026-08-22 | log4j   | 2     |         1 | https://endoflife.date/log4j
SELECT CAST(stated_on AS VARCHAR) AS stated_on, product, cycle, count(DISTINCT file) AS documents, source_url
FROM findings f JOIN last_day USING (day) JOIN cycles c USING (product, cycle)
WHERE day BETWEEN c.valid_from AND c.valid_until AND stated_on IS NOT NULL
GROUP BY stated_on, product, cycle, source_url
ORDER BY stated_on, documents DESC, product, cycle
LIMIT 50;
