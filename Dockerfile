# The program on a bare Debian 12, from its package.   docker build -t sassafras . && docker run --rm sassafras run sort --n 4096
FROM debian:12 AS build
COPY . /sassafras
RUN /sassafras/scripts/packages deb && rm /sassafras/build/packages/libsassafras-dev_*.deb

FROM debian:12
COPY --from=build /sassafras/build/packages/*.deb /packages/
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends /packages/*.deb && rm -rf /packages /var/lib/apt/lists/*
ENTRYPOINT ["sassafras"]
